/* Lessons: the list of those the rules have, and one of them step by step. */

import { h, setChildren } from "./dom.js";
import { LessonStage } from "./lesson-stage.js";
import { readAloud } from "./live-region.js";
import { fetchLesson, fetchLessons, finishLesson } from "./people-api.js";
import { prefs } from "./prefs.js";
import { t } from "./translations.js";

// The lessons of one game; `open` is called with the key of the one to show, or with nothing for the list.
export class LessonPage {
  /**
   * @param {HTMLElement} body
   * @param {PracticeSubject} subject
   * @param {(lesson: string) => unknown} open
   */
  constructor(body, subject, open) {
    this.body = body;
    this.subject = subject;
    this.open = open;
    this.fingerprint = "";
    /** @type {ListedLesson[]} */
    this.lessons = [];
  }

  /** @param {string} lesson */
  async show(lesson) {
    const { title, fingerprint, lessons } = await fetchLessons({ ...this.subject });
    this.fingerprint = fingerprint;
    this.lessons = lessons;
    if (!lesson) return () => this.showList(title);
    const simple = prefs.get("view") === "children" ? "1" : "";
    const shown = await fetchLesson({ ...this.subject, lesson, simple });
    return () => this.showStep(shown, 0);
  }

  /** @param {ListedLesson} one */
  isFinished(one) {
    return one.finished || prefs.get("lessons").includes(`${this.fingerprint} ${one.key}`);
  }

  /** @param {string} title */
  showList(title) {
    const known = this.lessons.filter((one) => !one.missing);
    const missing = this.lessons.filter((one) => one.missing);
    setChildren(
      this.body,
      h("p", { class: "practice-lead" }, title),
      h(
        "ol",
        { class: "paper lessons" },
        known.map((one) =>
          h(
            "li",
            {},
            h(
              "button",
              { class: "quiet lesson", type: "button", "data-lesson": one.key, onclick: () => this.open(one.key) },
              h("span", { class: "lesson-number" }, one.number),
              h("span", {}, one.title),
              this.isFinished(one) && h("small", { "data-finished": "" }, "✓ ", t("practice.finished")),
            ),
          ),
        ),
      ),
      this.buildChildrenSwitch(),
      missing.length > 0 && h("p", { class: "practice-lead" }, t("practice.not_here")),
      missing.length > 0 &&
        h(
          "dl",
          { class: "lessons-missing" },
          missing.map((one) => [h("dt", {}, one.title), h("dd", {}, one.missing)]),
        ),
    );
  }

  // Lessons for children: the same switch as in the settings.
  buildChildrenSwitch() {
    const isOn = () => prefs.get("view") === "children";
    const label = () => `${isOn() ? "☑" : "☐"} ${t("practice.simple")}`;
    const button = h("button", {
      class: "quiet",
      type: "button",
      "data-field": "simple",
      "aria-pressed": String(isOn()),
    });
    button.onclick = () => {
      prefs.set("view", isOn() ? "usual" : "children");
      button.setAttribute("aria-pressed", String(isOn()));
      setChildren(button, label());
    };
    setChildren(button, label());
    return h("p", { class: "lesson-simple" }, button);
  }

  /**
   * @param {ShownLesson} lesson
   * @param {number} place
   */
  async showStep(lesson, place) {
    const step = lesson.steps[place];
    const isLast = place + 1 === lesson.steps.length;
    const simple = prefs.get("view") === "children";
    const stage = await LessonStage.open(step, simple, () => (isLast ? this.finish(lesson) : null));
    const next = this.findNext(lesson);
    stage.setNext(
      isLast ? t(next ? "practice.next_lesson" : "practice.all_lessons") : t("practice.next"),
      isLast ? () => this.open(next?.key ?? "") : () => this.showStep(lesson, place + 1),
    );
    const lead = t("practice.step", { title: lesson.title, n: place + 1, count: lesson.steps.length });
    setChildren(
      this.body,
      h(
        "p",
        { class: "practice-lead lesson-lead" },
        h("span", {}, lead),
        h(
          "button",
          { class: "quiet", type: "button", "data-act": "all-lessons", onclick: () => this.open("") },
          t("practice.all_lessons"),
        ),
      ),
      stage.element,
    );
    readAloud([lead, step.text, step.question].join(" "));
  }

  /** @param {ShownLesson} lesson */
  findNext(lesson) {
    const known = this.lessons.filter((one) => !one.missing);
    return known[known.findIndex((one) => one.key === lesson.key) + 1] ?? null;
  }

  /**
   * Remembers a finished lesson: here, and for the person who practises.
   * @param {ShownLesson} lesson
   */
  async finish({ key }) {
    const name = `${this.fingerprint} ${key}`;
    prefs.set("lessons", [...prefs.get("lessons").filter((one) => one !== name), name]);
    const { person, ...subject } = this.subject;
    if (person) await finishLesson({ ...subject, person, lesson: key }).catch(() => {});
  }
}
