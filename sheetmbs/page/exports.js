// What leaves the page as files: pictures, films, numbers.

import { element } from "sheetmbs/elements.js";
import { writeOn } from "sheetmbs/overlay.js";
import { inks } from "sheetmbs/palette.js";

/** @typedef {import("sheetmbs/stage.js").Stage} Stage */
/** @typedef {import("sheetmbs/player.js").Player} Player */

/** Pictures of a film in a second, and the seconds that it lasts at the most and at the least. */
const RATE = 30;
const LONGEST = 20;
const SHORTEST = 2;
/** Milliseconds after which a file has been handed over. */
const HANDED = 20_000;

/**
 * A name of a file from the words of a title.
 * @param {string} title
 * @param {string} ending
 * @returns {string}
 */
export function fileName(title, ending) {
  return `${title.replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^[-.]+|-+$/g, "").slice(0, 60) || "sheetmbs"}.${ending}`;
}

/**
 * Hand a file to the one who reads the page.
 * @param {Blob} blob
 * @param {string} name
 */
export function save(blob, name) {
  const href = URL.createObjectURL(blob);
  element("a", { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), HANDED);
}

/**
 * The scene as it is seen, with lines and names over it, on the paper of the page.
 * @param {Stage} stage
 * @param {HTMLCanvasElement} [into] a picture that is drawn again
 * @returns {Promise<HTMLCanvasElement>}
 */
export async function pictureOf(stage, into) {
  const { width, height } = stage.eye;
  const ratio = Math.min(window.devicePixelRatio || 1, 2);
  const copy = into ?? element("canvas", { width: Math.round(width * ratio), height: Math.round(height * ratio) });
  const pen = /** @type {CanvasRenderingContext2D} */ (copy.getContext("2d"));
  pen.setTransform(copy.width / width, 0, 0, copy.height / height, 0, 0);
  pen.fillStyle = inks().paper;
  pen.fillRect(0, 0, width, height);
  stage.draw();
  const { surface } = stage.scene;
  pen.drawImage(surface instanceof HTMLCanvasElement ? surface : await imageOf(surface), 0, 0, width, height);
  stage.pointing.marks.paint(pen);
  pen.fillStyle = inks().ink;
  for (const { text, x, y } of stage.names.seen) writeOn(pen, text, x, y + 10);
  return copy;
}

/** @param {SVGElement} drawn @returns {Promise<HTMLImageElement>} */
async function imageOf(drawn) {
  const copy = /** @type {SVGElement} */ (drawn.cloneNode(true));
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  const [, , width, height] = (copy.getAttribute("viewBox") ?? "0 0 1 1").split(" ");
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

/** @param {Stage} stage @param {string} title */
export async function savePicture(stage, title) {
  const picture = await pictureOf(stage);
  picture.toBlob((blob) => blob && save(blob, fileName(title, "png")));
}

/** Whether this browser lets pages copy pictures. @returns {boolean} */
export function hasClipboard() {
  return typeof ClipboardItem !== "undefined" && Boolean(navigator.clipboard);
}

/**
 * Copy the scene, to be pasted into a document.
 * @param {Stage} stage
 */
export async function copyPicture(stage) {
  const picture = await pictureOf(stage);
  const blob = await new Promise((/** @type {(made: Blob|null) => void} */ done) => picture.toBlob(done));
  if (!blob) throw new Error("there is no picture");
  await navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);
}

/** Whether this browser makes films. @returns {boolean} */
export function hasFilms() {
  return typeof MediaRecorder !== "undefined" && "captureStream" in HTMLCanvasElement.prototype;
}

/**
 * A film of the whole motion, once from its start to its end, at the speed of the player.
 * @param {Stage} stage
 * @param {Player} player
 * @param {string} title
 * @param {(share: number) => void} onProgress
 * @returns {Promise<Blob>}
 */
export async function filmOf(stage, player, title, onProgress) {
  const { motion } = player;
  if (!motion) throw new Error("there is no motion");
  player.pause();
  const before = player.time;
  const lasts = Math.min(LONGEST, Math.max(SHORTEST, (motion.end - motion.start) / player.speed));
  const picture = await pictureOf(stage);
  const stream = picture.captureStream(RATE);
  const type = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm"].find((each) => MediaRecorder.isTypeSupported(each));
  const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: 8e6 });
  /** @type {Blob[]} */
  const parts = [];
  recorder.addEventListener("dataavailable", (event) => parts.push(event.data));
  const ended = new Promise((resolve) => recorder.addEventListener("stop", resolve, { once: true }));
  recorder.start();
  const began = performance.now();
  for (let share = 0; share < 1; ) {
    await new Promise((next) => requestAnimationFrame(next));
    share = Math.min(1, (performance.now() - began) / 1000 / lasts);
    player.goTo(motion.start + share * (motion.end - motion.start));
    await pictureOf(stage, picture);
    onProgress(share);
  }
  recorder.stop();
  await ended;
  for (const track of stream.getTracks()) track.stop();
  player.goTo(before);
  return new Blob(parts, { type: "video/webm" });
}
