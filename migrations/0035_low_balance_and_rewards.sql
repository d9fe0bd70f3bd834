CREATE TABLE "credit_notify_settings" (
	"user_id" uuid PRIMARY KEY NOT NULL,
	"enabled" boolean NOT NULL,
	"threshold" bigint NOT NULL,
	"is_low" boolean NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "invite_rewarded" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_notify_settings" ADD CONSTRAINT "credit_notify_settings_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;