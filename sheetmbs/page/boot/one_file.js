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

  /**
   * Bytes of which four are written as five letters, as sheetmbs/viewing/one_file.py does.
   * @param {string} text
   * @returns {Uint8Array<ArrayBuffer>}
   */
  function decoded(text) {
    const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;.=>?@^_`{|}~";
    const values = new Uint8Array(128);
    for (let k = 0; k < letters.length; k++) values[letters.charCodeAt(k)] = k;
    const missing = (5 - (text.length % 5)) % 5;
    const whole = text + "~".repeat(missing);
    const view = new DataView(new ArrayBuffer((whole.length / 5) * 4));
    for (let k = 0; k < whole.length; k += 5) {
      let sum = 0;
      for (let n = 0; n < 5; n++) sum = 85 * sum + values[whole.charCodeAt(k + n)];
      view.setUint32((k / 5) * 4, sum);
    }
    return new Uint8Array(view.buffer, 0, view.byteLength - missing);
  }

  /** @returns {Promise<void>} */
  async function unpack() {
    const holder = /** @type {HTMLScriptElement} */ (document.getElementById("packed"));
    const bytes = decoded(holder.textContent || "");
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
