/** The icons as SVG paths in a box of 24: lines of one width, in the colour of the text beside them. */
export const SIGNS = {
  live: 'M2.5 9a14 14 0 0 1 19 0M5.8 12.6a9.2 9.2 0 0 1 12.4 0M9 16.1a4.6 4.6 0 0 1 6 0M12 19.9v.1',
  offline:
    'M3.5 3.5l17 17M5.5 12.6a10 10 0 0 1 4-2.4M8.7 16.1a4.8 4.8 0 0 1 6.6 0M12 19.9v.1M13.5 9.7a10 10 0 0 1 5 2.9M2.5 9a14 14 0 0 1 4-2.6M11 5a14 14 0 0 1 10.5 4',
  sound: 'M4 9.5v5h3.5l4.5 4v-13l-4.5 4zM15.5 9a4 4 0 0 1 0 6M18 6.2a8 8 0 0 1 0 11.6',
  mute: 'M4 9.5v5h3.5l4.5 4v-13l-4.5 4zM16 9.5l5 5M21 9.5l-5 5',
  camera: 'M4 7.5h4l1.5-2.5h5L16 7.5h4v11H4zM12 10a3 3 0 1 0 0 6a3 3 0 0 0 0-6z',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  done: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17zM8 12.3l2.8 2.8L16 9.5',
  scan: 'M4 8V4.5h3.5M16.5 4.5H20V8M20 16v3.5h-3.5M7.5 19.5H4V16M8 9v6M12 9v6M16 9v6',
  clock: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2',
  undo: 'M8 5L4 9l4 4M4.5 9H14a5 5 0 0 1 0 10h-4',
  list: 'M6 3.5h8.5L19 8v12.5H6zM9.5 12h6M9.5 16h6',
  stop: 'M8.3 3h7.4L21 8.3v7.4L15.7 21H8.3L3 15.7V8.3zM9 9l6 6M15 9l-6 6',
  load: 'M3.5 12h11M10.5 8l4 4-4 4M19.5 4.5v15',
  ready: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17zM12 11.9v.2',
  free: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17z',
  closed: 'M5.5 5.5l13 13M18.5 5.5l-13 13',
  warn: 'M12 4L21 19.5H3zM12 10v4.5M12 17v.1',
  flag: 'M6 21V4h11l-2.5 4L17 12H6',
  pause: 'M9 5v14M15 5v14',
  menu: 'M4 6.5h16M4 12h16M4 17.5h16',
  short: 'M12 3.5a8.5 8.5 0 1 0 0 17a8.5 8.5 0 0 0 0-17zM8 12h8',
  torch: 'M8 3h8l-2 7h4l-8 11 2-8H7z',
  search: 'M10.5 4a6.5 6.5 0 1 0 0 13a6.5 6.5 0 0 0 0-13zM15.3 15.3L20.5 20.5',
  day: 'M4 6h16v14H4zM4 10.5h16M8 3.5V6M16 3.5V6',
  gate: 'M4 20V5h16v15M8 20v-9.5h8V20M8 13.7h8M8 16.9h8',
  truck:
    'M2.5 6h11v10h-11zM13.5 9.5H18l3.5 3.5v3h-8M7 16a2 2 0 1 0 0 4a2 2 0 0 0 0-4zM17.5 16a2 2 0 1 0 0 4a2 2 0 0 0 0-4z',
  pallet: 'M3 20.5h18M3 16.5h18M5 16.5v4M12 16.5v4M19 16.5v4M6 4.5h12v12H6z',
  bell: 'M6.5 16.5V11a5.5 5.5 0 0 1 11 0v5.5l2 1.5H4.5zM10.5 21h3',
  chart: 'M4 20.5h16M6.5 17v-6M12 17V4.5M17.5 17V8',
  box: 'M4 8.5h16V20H4zM3 4.5h18v4H3zM9.5 12.5h5',
  print: 'M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z',
  download: 'M12 4v11M7.5 11l4.5 4.5 4.5-4.5M4.5 20h15',
  share:
    'M17 3.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5zM7 9.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5zM17 15.5a2.5 2.5 0 1 0 0 5a2.5 2.5 0 0 0 0-5zM9.2 10.8l5.6-3.5M9.2 13.2l5.6 3.5',
  plus: 'M12 5v14M5 12h14',
  edit: 'M4.5 19.5l1-4.5L15.8 4.7l3.5 3.5L9 18.5zM13.3 7.2l3.5 3.5',
  key: 'M8 8.5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 0 0 0-7zM11.5 12H21v3.5M17 12v3',
  up: 'M12 19V5M6.5 10.5L12 5l5.5 5.5',
  back: 'M14.5 6l-6 6 6 6',
  next: 'M9.5 6l6 6-6 6',
  plan: 'M8.2 4.4A8.5 8.5 0 0 1 12 3.5M16 4.5a8.5 8.5 0 0 1 3 3M20.5 12a8.5 8.5 0 0 1-1 4M16.5 19.2a8.5 8.5 0 0 1-4 1.3M8 19.5a8.5 8.5 0 0 1-3-3M3.5 12.5a8.5 8.5 0 0 1 1-4.5',
  board: 'M3.5 4.5h7v7h-7zM13.5 4.5h7v7h-7zM3.5 14.5h7v5h-7zM13.5 14.5h7v5h-7z',
} as const;

/** The name of an icon. */
export type Sign = keyof typeof SIGNS;

/** The product's logo, a half-open gate, in a box of 26: white lines on ink. */
export const LOGO_PATH = 'M6 21V8h14v13M6 12.3h14M6 16.6h14';
