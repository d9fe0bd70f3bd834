/** An error in the settings that stops the start; its message names the setting and what to do, in both languages. */
export class ConfigError extends Error {}
