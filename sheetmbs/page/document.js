// What a page is given: the document that sheetmbs/viewing/page_document.py makes, and how its arrays are read.

/**
 * An array: float32 numbers, little end first, row by row, in base64. NaN: not known. In one file they are packed closer,
 * see sheetmbs/viewing/delta_encoding.py, and have been unpacked by unpack.js: values.
 * @typedef {{shape: number[], f32?: string, values?: Float32Array}} Packed
 */

/**
 * A place on a body. body: its number, -1 the ground. at: (3) m, in body coordinates. bent: where beams bend.
 * @typedef {{body: number, at: number[], bent?: BentPlace}} Marker
 */

/**
 * Of a place along a beam: by how much shapes of amplitude 1 move it across, turn it, and stretch it; and by how much
 * their products draw it back towards end i.
 * @typedef {{xi: number, across: number[], slope: number[], stretch: number[], shorten: number[][]}} BentPlace
 */

/**
 * points: where elements take hold; lines: each a list of places; faces: triangles; all in body coordinates, m.
 * members: names of the lines, of arms with legs.
 * amplitudes: (frames, shapes).
 * @typedef {{name: string, mass: number|null, points: number[][], lines: number[][][], faces: number[][][],
 *   members?: string[], beam?: {length: number, along: BentPlace[], amplitudes: Packed}}} Body
 */

/**
 * @typedef {{name: string, type: string, i: Marker, j: Marker, axis: number[], link: boolean, slides: boolean,
 *   radii?: number[]}} Joint
 */

/** @typedef {{name: string, type: string, called: string, i: Marker, j: Marker, axis: number[], picture: string}} Spring */

/** @typedef {{name: string, marker: Marker, path: boolean}} Point */

/** @typedef {{name: string, marker: Marker, axis: number[], radius: number, width?: number}} Wheel */

/**
 * A force. Its components are columns of a sheet of results, or constant, or values (frames, 3), N.
 * One column: the pull towards another place. axes: rows of a matrix whose columns are its axes on its body.
 * inwards: columns are normal, towards that place, and tangential. acts: (frames, 3) where it acts.
 * @typedef {{kind: "reaction"|"spring"|"load", name: string, marker: Marker, sheet?: string, columns?: string[],
 *   towards?: Marker, inwards?: Marker, axes?: number[][], constant?: number[], values?: Packed, acts?: Packed,
 *   in?: "global"|"body"}} Arrow
 */

/**
 * A mechanism over time; lengths in m. poses: (frames, bodies, 3) x, y, phi in a plane, or (frames, bodies, 7)
 * x, y, z and Euler parameters. road: (frames, 3) a place on it and its normal. tracks: (frames, places, 3) of places that belong to no body, with bones between them.
 * @typedef {{plane: boolean, up: number[], size: number, times: Packed, bodies: Body[], poses: Packed,
 *   ground: number[][], joints: Joint[], springs: Spring[], points: Point[], wheels: Wheel[], arrows: Arrow[],
 *   constructions?: Construction[], floor?: number, plates?: {name: string, corners: number[][]}[],
 *   road?: {places: Packed, normals: Packed}, tracks?: {names: string[], places: Packed, bones: Bone[]}}} Scene
 */

/** @typedef {{name: string, from: number, to: number, side?: string}} Bone */

/**
 * The instant centre of a wheel in a view: (frames, 3) its place, NaN where there is none, and that of the contact;
 * starts: (frames, lines, 3) where the lines begin that meet in it.
 * @typedef {{name: string, view: "front"|"side", contact: Packed, centre: Packed, starts: Packed}} Construction
 */

/** @typedef {{name: string, frequency: number|null, shape: Packed, beams: Record<string, number[][]>}} Mode */

/** @typedef {{severity: string, cell: string, found: string, problem: string, mend: string}} Problem */

/**
 * A sheet of results; values: (columns, rows).
 * @typedef {{name: string, columns: string[], units: string[], meanings: string[], values: Packed}} Table
 */

/** Readings of one column, of that of x. @typedef {{name: string, of: string, over: string, x: Packed, y: Packed}} Measured */

/** @typedef {{title: string, unit: string, heads: string[], names: string[], values: (number|null)[][]}} Section */

/** What an axis covers at least, how long it is at least, and what it covers at the most. @typedef {{reach: number[], span: number, within: (number|null)[]}} Upward */

/**
 * beside: x and y of a line that frames the others. upward: of the axis of y. words: what metrics are called, by their names.
 * follow: the scene goes to the state under the pointer.
 * @typedef {{title: string, x: string, y: string[], type: "line"|"xy"|"bar", beside?: string[], upward?: Upward,
 *   words?: Record<string, string>, follow?: boolean}} Chart
 */

/**
 * Another motion of the same mechanism, with its columns for charts. isBefore: of the run before, which no document holds.
 * @typedef {{name: string, scene: Scene, tables: Table[], isBefore?: boolean}} Ghost
 */

/**
 * Of a sweep: the columns that it moves, and the time at which it stands nearest to design.
 * @typedef {{columns: string[], opens: number}} Course
 */

/** Forces along members in load cases, N, + in tension. @typedef {{cases: string[], members: Record<string, number[]>}} LoadCases */

/**
 * A tab. colours: of designs, "" the first, or of sides. follows: the column that holds an item of the summary at each time.
 * strides: first and last time of each, by side. every: one of so many rows is shown. isFull: with the columns that few readers need.
 * @typedef {{name: string, analysis: string, status: string, every: number, isFull: boolean, scene: Scene|null, modes: Mode[],
 *   ghosts: Ghost[], summary: [string, string|number|null, string][], problems: Problem[],
 *   tables: Table[], sections: Section[], charts: Chart[], course?: Course|null, loads?: LoadCases|null,
 *   colours?: {designs?: Record<string, string>, sides?: Record<string, string>}, follows?: Record<string, string>,
 *   strides?: Record<string, number[][]>, measured?: Measured[]}} Case
 */

/**
 * chosen: the tab that is shown first, "" the first one. refused: cases that could not be analysed.
 * @typedef {{format: number, program: string, title: string, source: string, cases: Case[], chosen: string,
 *   refused: {name: string, problems: Problem[]}[]}} PageDocument
 */

/** @type {WeakMap<Packed, Float32Array>} */
const unpacked = new WeakMap();

/**
 * The numbers of an array, unpacked once.
 * @param {Packed} packed
 * @returns {Float32Array}
 */
export function numbers(packed) {
  if (packed.values) return packed.values;
  let found = unpacked.get(packed);
  if (!found) {
    const bytes = Uint8Array.from(atob(packed.f32 || ""), (letter) => letter.charCodeAt(0));
    found = new Float32Array(bytes.buffer);
    unpacked.set(packed, found);
  }
  return found;
}

/**
 * A column of a table.
 * @param {Table} table
 * @param {number} column
 * @returns {Float32Array}
 */
export function columnOf(table, column) {
  const rows = table.values.shape[1];
  return numbers(table.values).subarray(column * rows, (column + 1) * rows);
}
