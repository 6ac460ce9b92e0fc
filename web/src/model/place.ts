import { signal } from '@preact/signals'

/** What the page shows: the list of lessons, one lesson, or the lab. */
export type Place =
  | { readonly name: 'lessons' }
  | { readonly name: 'lesson'; readonly lesson: string }
  | { readonly name: 'lab' }

/** What an address without a fragment shows. */
export const HOME: Place = { name: 'lessons' }

export const place = signal<Place>(HOME)

/** The title of the lesson that is shown, for the title of the page. */
export const lessonTitle = signal('')

/** The lesson whose picture was taken to the lab; null where there is none. */
export const lessonToReturnTo = signal<Place | null>(null)
