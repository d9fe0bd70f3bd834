import { useConfig } from '#web/core/page.ts'
import { setTheme, useTheme, type Theme } from '#web/core/theme.ts'
import type { UserInfo } from '#contract/users.ts'
import { settingText } from '#web/text/setting.ts'
import { shellText } from '#web/text/shell.ts'
import { ChoiceChips } from '#web/ui/form/ChoiceChips.tsx'
import { Switch } from '#web/ui/form/Switch.tsx'
import { updateVoiceReply } from '#web/conversations/voice/voice.ts'
import { SettingSection } from './SettingSection.tsx'

const themes = (Object.entries(shellText.themes) as [Theme, string][]).map(([value, label]) => ({
  value,
  label,
}))

/** Settings of this browser: the theme, and reading new answers aloud. */
export function AppearanceSettings({ user }: { user: UserInfo }) {
  const theme = useTheme()
  const { read_aloud } = useConfig()
  return (
    <SettingSection id="appearance" title={settingText.appearance}>
      <ChoiceChips label={settingText.theme} choices={themes} chosen={theme} onChoose={setTheme} />
      <div className="mt-4">
        {read_aloud ? (
          <Switch
            label={shellText.voiceReply}
            hint={settingText.voiceHint}
            checked={user.voice_reply}
            onChange={(checked) => void updateVoiceReply(checked)}
          />
        ) : (
          <p className="text-note text-ink3">{settingText.voiceUnavailable}</p>
        )}
      </div>
    </SettingSection>
  )
}
