import { authText } from './auth.ts'
import { chatText } from './chat.ts'
import { shellText } from './shell.ts'
import { homeText } from './site/home.ts'
import { processingText } from './site/processing.ts'

/**
 * The texts that are set in the display face (`font-display`), whose files hold no other characters. `everywhere`: what many
 * pages show, in a small file of its own; `some`: what few do. The names of people that follow a greeting are set in what the
 * system has of the kind.
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
