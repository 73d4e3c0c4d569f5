/* The page of an address that leads nowhere: says so, and shows the way home. */

import { setBar } from "./bar.js";
import { h, setChildren } from "./dom.js";
import { navigate } from "./router.js";
import { t } from "./translations.js";

class MissingPage extends HTMLElement {
  connectedCallback() {
    setBar({ title: t("home.title") });
    setChildren(
      this,
      h("h2", {}, t("missing.title")),
      h("p", {}, t("missing.text")),
      h(
        "a",
        {
          class: "button act",
          href: "/",
          "data-act": "home",
          onclick: (event) => {
            event.preventDefault();
            navigate("/");
          },
        },
        t("missing.home"),
      ),
    );
  }
}

customElements.define("knobel-missing", MissingPage);
