ALTER TABLE "organization_members" ADD COLUMN "invited_by" uuid;--> statement-breakpoint
ALTER TABLE "organizations" ADD COLUMN "members_can_invite" boolean DEFAULT true NOT NULL;--> statement-breakpoint
ALTER TABLE "organization_members" ADD CONSTRAINT "organization_members_invited_by_users_id_fk" FOREIGN KEY ("invited_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action;