/* The style sheets of every table, loaded in order before anything is drawn. */

import { loadStylesheet } from "./dom.js";

await Promise.all([
  loadStylesheet("table.css"),
  loadStylesheet("end.css"),
  loadStylesheet("evening.css"),
  loadStylesheet("wide.css"),
]);
