/* What every table lies on: its style sheets, in their order, before anything is drawn. */

import { wear } from "./dom.js";

await Promise.all([wear("table.css"), wear("end.css")]);
