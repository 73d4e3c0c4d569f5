/* Lets one call on the files of a folder fail: the n-th write, sync, open, truncate, rename or unlink after arming.
   Loaded with LD_PRELOAD; nothing fails until fault_arm is called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { WRITE, SYNC, OPEN, TRUNCATE, RENAME, UNLINK, KINDS };
#define MAX_FILES 4096

static char folder[1024];
static char watched[MAX_FILES];
static long counts[KINDS];
static long fail_at[KINDS];
static int fail_with;

void fault_arm(const char *path, int kind, long at, int error) {
    strncpy(folder, path, sizeof folder - 1);
    memset(counts, 0, sizeof counts);
    memset(fail_at, 0, sizeof fail_at);
    fail_with = error;
    if (kind >= 0) fail_at[kind] = at;
}

long fault_count(int kind) { return counts[kind]; }

static int is_ours(const char *path) { return folder[0] && path && strstr(path, folder); }
static int is_watched(int file) { return file >= 0 && file < MAX_FILES && watched[file]; }

static int fails(int kind) {
    if (++counts[kind] != fail_at[kind]) return 0;
    errno = fail_with;
    return 1;
}

#define REAL(name, type, ...) ((type(*)(__VA_ARGS__))dlsym(RTLD_NEXT, name))

static int opened(const char *name, const char *path, int flags, mode_t mode) {
    if (is_ours(path) && fails(OPEN)) return -1;
    int file = REAL(name, int, const char *, int, ...)(path, flags, mode);
    if (file >= 0 && file < MAX_FILES) watched[file] = is_ours(path) ? 1 : 0;
    return file;
}

int open(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened("open", path, flags, mode);
}

int open64(const char *path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;
    va_end(rest);
    return opened("open64", path, flags, mode);
}

int close(int file) {
    if (file >= 0 && file < MAX_FILES) watched[file] = 0;
    return REAL("close", int, int)(file);
}

ssize_t write(int file, const void *bytes, size_t length) {
    if (is_watched(file) && fails(WRITE)) return -1;
    return REAL("write", ssize_t, int, const void *, size_t)(file, bytes, length);
}

ssize_t pwrite(int file, const void *bytes, size_t length, off_t at) {
    if (is_watched(file) && fails(WRITE)) return -1;
    return REAL("pwrite", ssize_t, int, const void *, size_t, off_t)(file, bytes, length, at);
}

ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t at) {
    if (is_watched(file) && fails(WRITE)) return -1;
    return REAL("pwrite64", ssize_t, int, const void *, size_t, off64_t)(file, bytes, length, at);
}

int fsync(int file) {
    if (is_watched(file) && fails(SYNC)) return -1;
    return REAL("fsync", int, int)(file);
}

int fdatasync(int file) {
    if (is_watched(file) && fails(SYNC)) return -1;
    return REAL("fdatasync", int, int)(file);
}

int ftruncate(int file, off_t length) {
    if (is_watched(file) && fails(TRUNCATE)) return -1;
    return REAL("ftruncate", int, int, off_t)(file, length);
}

int ftruncate64(int file, off64_t length) {
    if (is_watched(file) && fails(TRUNCATE)) return -1;
    return REAL("ftruncate64", int, int, off64_t)(file, length);
}

int rename(const char *from, const char *to) {
    if (is_ours(to) && fails(RENAME)) return -1;
    return REAL("rename", int, const char *, const char *)(from, to);
}

int unlink(const char *path) {
    if (is_ours(path) && fails(UNLINK)) return -1;
    return REAL("unlink", int, const char *)(path);
}
