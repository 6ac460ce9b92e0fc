/** Outlines on a square of 24, drawn with a round pen; `filled` ones are areas. */
const OUTLINES = {
  play: { filled: 'M7 4.5v15l12-7.5Z' },
  pause: { filled: 'M7 5h3v14H7ZM14 5h3v14h-3Z' },
  step: { filled: 'M6 5v14l9-7Z', line: 'M18.5 5v14' },
  back: { filled: 'M18 5v14l-9-7Z', line: 'M5.5 5v14' },
  'moment-next': { filled: 'M3 5v14l8-7ZM12 5v14l8-7Z' },
  'moment-before': { filled: 'M21 5v14l-8-7ZM12 5v14l-8-7Z' },
  'to-start': { line: 'M11 6 5 12l6 6M5 12h14' },
  'to-end': { line: 'M13 6l6 6-6 6M5 12h14' },
  crown: { filled: 'M4 18 2.5 7.5 8 12l4-8 4 8 5.5-4.5L20 18Z', line: 'M4.5 21h15' },
  crash: { line: 'M4 4h16v16H4ZM8 8l8 8M16 8l-8 8' },
  recover: { line: 'M4 12a8 8 0 1 0 2.6-5.9M4 4v4.5h4.5' },
  lost: { line: 'M3 12h9M15 8l6 8M21 8l-6 8' },
  violation: { line: 'M8 3h8l5 5v8l-5 5H8l-5-5V8ZM12 8v5M12 16v.1' },
  warning: { line: 'M12 3 22 20H2ZM12 10v4M12 17v.1' },
  info: { line: 'M12 3a9 9 0 1 0 .1 0M12 11v5M12 8v.1' },
  question: { line: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.2-1.5 2.4M12 17.5v.1' },
  holds: { line: 'M4.5 12.5 10 18 20 6.5' },
  sun: {
    line: 'M12 8a4 4 0 1 0 .1 0M12 2v2m0 16v2M2 12h2m16 0h2M5 5l1 1m12 12 1 1m0-14-1 1M6 18l-1 1',
  },
  moon: { line: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5Z' },
  contrast: { line: 'M12 3a9 9 0 1 0 .1 0', filled: 'M12 3a9 9 0 0 1 0 18Z' },
  share: { line: 'M12 15V3M8 6.5 12 3l4 3.5M6 11H4v10h16V11h-2' },
  code: { line: 'M8 6l-6 6 6 6M16 6l6 6-6 6M13.5 4l-3 16' },
  gallery: { line: 'M3 3h7.5v7.5H3ZM13.5 3H21v7.5h-7.5ZM3 13.5h7.5V21H3ZM13.5 13.5H21V21h-7.5Z' },
  lessons: {
    line: 'M12 6C9 4.5 6 4 2.5 4v14.5c3.5 0 6.5 0 9.5 2 3-2 6-2 9.5-2V4C18 4 15 4.5 12 6V20',
  },
  lab: {
    line: 'M9 3h6M10 3v6L4.5 19a1.5 1.5 0 0 0 1.3 2h12.4a1.5 1.5 0 0 0 1.3-2L14 9V3M7.5 14.5h9',
  },
  compare: { line: 'M3 4h18v16H3ZM12 4v16' },
  race: { line: 'M3 6h11M3 12h17M3 18h7M3 3v18' },
  growth: { line: 'M3 3v18h18M6 17c6 0 9-4 13-12' },
  check: {
    line: 'M12 3a2 2 0 1 0 .1 0M5 16a2 2 0 1 0 .1 0m14 0a2 2 0 1 0 .1 0M11 8 6 16m7-8 5 8',
  },
  present: { line: 'M2 4h20M4 4v11h16V4M12 15v3M8 21l4-3 4 3' },
  fullscreen: { line: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5' },
  menu: { line: 'M3 6h18M3 12h18M3 18h18' },
  more: { filled: 'M5 10a2 2 0 1 0 .1 0ZM12 10a2 2 0 1 0 .1 0ZM19 10a2 2 0 1 0 .1 0Z' },
  close: { line: 'M5 5l14 14M19 5 5 19' },
  plus: { line: 'M12 4v16M4 12h16' },
  minus: { line: 'M4 12h16' },
  up: { line: 'M5 15l7-7 7 7' },
  down: { line: 'M5 9l7 7 7-7' },
  left: { line: 'M15 5l-7 7 7 7' },
  right: { line: 'M9 5l7 7-7 7' },
  search: { line: 'M10.5 4a6.5 6.5 0 1 0 .1 0M15.5 15.5 21 21' },
  print: { line: 'M7 8V3h10v5M7 17H3V8h18v9h-4M7 14h10v7H7Z' },
  link: {
    line: 'M10 14a4 4 0 0 0 6 .5l3-3a4 4 0 0 0-6-6L12 7m2 3a4 4 0 0 0-6-.5l-3 3a4 4 0 0 0 6 6l1-1',
  },
  copy: { line: 'M8 8h12v12H8ZM4 16V4h12' },
  film: { line: 'M3 4h18v16H3ZM7 4v16M17 4v16M3 9h4M3 15h4M17 9h4M17 15h4' },
  picture: { line: 'M3 4h18v16H3ZM3 17l6-6 5 5 3-3 4 4M15.5 8v.1' },
  save: { line: 'M12 3v12M8 11.5l4 3.5 4-3.5M4 17v4h16v-4' },
  open: { line: 'M3 20V5h6l2 3h10v12Z' },
  undo: { line: 'M8 5 3 10l5 5M3 10h11a6 6 0 0 1 0 12h-3' },
  branch: { line: 'M6 3v18M6 14c0-6 12-3 12-9M18 5v-.1M6 5v-.1M6 21v-.1' },
  cut: { line: 'M3 12h5M16 12h5M10 7l4 10' },
  partition: { line: 'M12 2v3M12 8v3M12 14v3M12 20v2M5 9a3 3 0 1 0 .1 0M19 9a3 3 0 1 0 .1 0' },
  clock: { line: 'M12 3a9 9 0 1 0 .1 0M12 7v5l3.5 2' },
  settings: {
    line: 'M3 7h9m6 0h3M3 17h3m6 0h9M15 4.5a2.5 2.5 0 1 0 .1 0M9 14.5a2.5 2.5 0 1 0 .1 0',
  },
  diagram: { line: 'M3 5h18M3 12h18M3 19h18M6 5l4 7M12 12l4 7' },
  counts: { line: 'M4 20V10M10 20V4M16 20v-7M22 20H2' },
  keys: { line: 'M2 6h20v12H2ZM6 10v.1M10 10v.1M14 10v.1M18 10v.1M7 14.5h10' },
  qr: { line: 'M3 3h7v7H3ZM14 3h7v7h-7ZM3 14h7v7H3ZM14 14h3v3M21 14v.1M14 21v.1M18 18v3h3' },
} as const satisfies Record<string, { readonly line?: string; readonly filled?: string }>

export type IconName = keyof typeof OUTLINES

/** A sign beside words, or in a button that has a name. */
export function Icon({ name }: { readonly name: IconName }) {
  const { line, filled }: { line?: string; filled?: string } = OUTLINES[name]
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {filled !== undefined && <path class="filled" d={filled} />}
      {line !== undefined && <path d={line} />}
    </svg>
  )
}
