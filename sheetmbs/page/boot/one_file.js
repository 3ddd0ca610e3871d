// Starts a page that is one file: unpacks its modules and its document, and shows it.
(function () {
  "use strict";
  document.addEventListener("DOMContentLoaded", function () {
    unpack().catch(function (/** @type {unknown} */ error) {
      const told = document.getElementById("told");
      if (told) {
        told.hidden = false;
        told.textContent =
          "This page cannot be shown: it needs a browser of 2023 or later (Chrome 111, Firefox 113, Safari 16.4). " +
          String(error);
      }
      console.error(error);
    });
  });

  /** @returns {Promise<void>} */
  async function unpack() {
    const holder = /** @type {HTMLScriptElement} */ (document.getElementById("packed"));
    const bytes = Uint8Array.from(atob(holder.textContent || ""), function (letter) {
      return letter.charCodeAt(0);
    });
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const all = await new Response(stream).arrayBuffer();
    const length = new DataView(all).getUint32(0, true);
    const contents = JSON.parse(new TextDecoder().decode(new Uint8Array(all, 4, length)));
    /** @type {Record<string, string>} */
    const imports = {};
    for (const [name, text] of Object.entries(contents.modules)) {
      imports[name] = URL.createObjectURL(new Blob([/** @type {string} */ (text)], { type: "text/javascript" }));
    }
    const map = document.createElement("script");
    map.type = "importmap";
    map.nonce = holder.nonce;
    map.textContent = JSON.stringify({ imports: imports });
    document.head.append(map);
    const page = await import("sheetmbs/main.js");
    const numbers = await import("sheetmbs/unpack.js");
    page.showDocument(numbers.unpack(contents.document, contents.words, new Uint8Array(all, 4 + length)));
  }
})();
