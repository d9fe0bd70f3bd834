import type { UserInfo } from '#contract/users.ts'
import { request } from '#web/core/api.ts'
import { clearUserOn401 } from '#web/core/clearUserOn401.ts'
import { queryClient } from '#web/core/queryClient.ts'
import { useForm } from '#web/core/useForm.ts'
import { userQueryKey } from '#web/core/user.ts'
import { PictureField } from '#web/files/files.ts'
import { settingText } from '#web/text/setting.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { TextField } from '#web/ui/form/fields.tsx'
import { SaveButton } from '#web/ui/form/SaveButton.tsx'
import { toast } from '#web/ui/toast.ts'
import { SettingSection } from './SettingSection.tsx'

/** The longest name that the server accepts, characters. */
const MAX_CHARS = 30

/** Throws ApiError. */
async function saveProfile(profile: { name?: string; avatar?: string }): Promise<UserInfo> {
  const savedProfile = await clearUserOn401(
    request('PUT /api/user/info', { body: profile }, { failed: settingText.saveFailed }),
  )
  toast.success(settingText.saved)
  await queryClient.invalidateQueries({ queryKey: userQueryKey })
  return savedProfile
}

/** Edits the public profile: the avatar is saved at once, the name with its form. */
export function ProfileSettings({ user }: { user: UserInfo }) {
  const form = useForm({ name: user.name })
  const onSubmit = form.handleSubmit(saveProfile, {
    onSuccess: ({ name }) => form.reset({ name }),
    onError: (errors) => errors.form && toast.error(errors.form),
  })
  return (
    <SettingSection id="profile" title={settingText.profile} hint={settingText.profileHint}>
      <div className="flex flex-col gap-5">
        <PictureField
          label={settingText.avatar}
          renderPicture={(src) => <Avatar name={user.name} src={src} size="lg" />}
          value={user.avatar}
          onChange={async (avatar) => void (await saveProfile({ avatar }))}
        />
        <form onSubmit={onSubmit} className="flex flex-col gap-4">
          <TextField
            form={form}
            name="name"
            label={settingText.name}
            maxLength={MAX_CHARS}
            autoComplete="nickname"
          />
          <SaveButton form={form} disabled={!form.data.name.trim()} className="self-start" />
        </form>
      </div>
    </SettingSection>
  )
}
