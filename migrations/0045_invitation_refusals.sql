CREATE TABLE "invitation_refusals" (
	"mailbox_hash" text PRIMARY KEY NOT NULL,
	"refused_at" timestamp with time zone DEFAULT now() NOT NULL
);
