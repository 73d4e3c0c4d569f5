/* What every table lies on: its style sheets, in their order, before anything is drawn. */

import { loadStylesheet } from "./dom.js";

await Promise.all([loadStylesheet("table.css"), loadStylesheet("end.css")]);
