/* Shares the result of a game: as a link with who won, or as a picture; by the device's own way where it has one. */

import { openMenu, showToast } from "./dialogs.js";
import { h } from "./dom.js";
import { nameWinners } from "./outcome.js";
import { t } from "./translations.js";

/**
 * Opens the ways to share at a button.
 * @param {HTMLElement} button
 * @param {TableModel} model
 */
export function openShareMenu(button, model) {
  openMenu(
    button,
    [
      { label: t("end.share_picture"), act: () => sharePicture(model), hook: "share-picture" },
      { label: t("end.share_link"), act: () => shareLink(model), hook: "share-link" },
    ],
    t("end.share"),
  );
}

/** @param {TableModel} model */
async function shareLink(model) {
  const { title, text } = describeResult(model);
  const url = location.href.replace(/\/screen$/, "");
  try {
    if (navigator.share) await navigator.share({ title, text, url });
    else {
      await navigator.clipboard.writeText(`${text}\n${url}`);
      showToast(t("end.shared"));
    }
  } catch (thrown) {
    if (!isCancelled(thrown)) showToast(`${text} ${url}`);
  }
}

/** @param {TableModel} model */
async function sharePicture(model) {
  const { drawResult } = await import("./result-picture.js");
  const { title, text } = describeResult(model);
  const file = new File([await drawResult(model)], "knobel.png", { type: "image/png" });
  const shared = { files: [file], title, text };
  try {
    if (navigator.canShare?.(shared)) await navigator.share(shared);
    else savePicture(file);
  } catch (thrown) {
    if (!isCancelled(thrown)) savePicture(file);
  }
}

/** @param {File} file */
function savePicture(file) {
  const url = URL.createObjectURL(file);
  h("a", { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 0);
  showToast(t("end.saved"));
}

/**
 * Who won and the totals, for somebody who was not there.
 * @param {TableModel} model
 */
function describeResult({ view, gameInfo, family }) {
  const lines = (view.places ?? []).flat().map((seat) => {
    const score = family.describeScore(view.seats[seat], gameInfo);
    return [view.seats[seat].name, score].filter(Boolean).join(" ");
  });
  const title = `${gameInfo.title}: ${nameWinners(view)}`;
  return { title, text: [title, lines.join(", ")].filter(Boolean).join("\n") };
}

/** @param {unknown} thrown */
function isCancelled(thrown) {
  return thrown instanceof DOMException && thrown.name === "AbortError";
}
