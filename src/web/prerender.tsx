import { createInertiaApp } from '@inertiajs/react'
import { renderToString } from 'react-dom/server'
import type { PrerenderedPage } from '#contract/pages.ts'
import Chat from '#web/pages/Chat.tsx'
import Home from '#web/pages/Home.tsx'
import { appOptions } from './appOptions.tsx'

const components = { Home, Chat } satisfies Record<PrerenderedPage, unknown>

/** Renders the first HTML of a page (an Inertia page object). The build bundles this into a file for the server. */
export async function prerender(page: never): Promise<string> {
  const render = await createInertiaApp({
    ...appOptions,
    resolve: (name) => components[name as PrerenderedPage],
  })
  let html = ''
  await render?.(page, (app) => (html = renderToString(app)))
  return html
}
