import { authText } from './auth.ts'
import { chatText } from './chat.ts'
import { shellText } from './shell.ts'
import { homeText } from './site/home.ts'
import { processingText } from './site/processing.ts'

/**
 * Texts set in the display face (`font-display`), whose files hold no other characters. `everywhere` is for many pages, and has a
 * small file of its own; `some` is for few. Names of people in a greeting are set in the system's font of that kind.
 */
export const displayTexts = {
  everywhere: [
    shellText.brand,
    ...homeText.poem,
    ...Array.from({ length: 24 }, (_, hour) => chatText.greeting(hour, null)),
    '，？',
  ],
  some: [
    homeText.heading,
    homeText.models.title,
    homeText.api.title,
    homeText.prices.title,
    homeText.survives.title,
    homeText.stats.title,
    shellText.notFound.title,
    processingText.title,
    authText.welcome,
    '404102',
  ],
}
