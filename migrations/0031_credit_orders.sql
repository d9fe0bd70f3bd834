CREATE TABLE "credit_orders" (
	"id" uuid PRIMARY KEY NOT NULL,
	"user_id" uuid NOT NULL,
	"plan" jsonb NOT NULL,
	"price" integer NOT NULL,
	"pay_type" text NOT NULL,
	"provider" text NOT NULL,
	"code_url" text,
	"status" text DEFAULT 'pending' NOT NULL,
	"trade_no" text,
	"refund_id" uuid,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"queried_at" timestamp with time zone,
	"paid_at" timestamp with time zone,
	"refunded_at" timestamp with time zone,
	CONSTRAINT "credit_orders_price" CHECK ("credit_orders"."price" > 0),
	CONSTRAINT "credit_orders_paid" CHECK (("credit_orders"."paid_at" IS NULL) = ("credit_orders"."status" IN ('pending', 'expired', 'cancelled')))
);
--> statement-breakpoint
CREATE TABLE "credit_sandbox_payments" (
	"order_id" uuid PRIMARY KEY NOT NULL,
	"state" text NOT NULL,
	"trade_no" text NOT NULL,
	"amount" bigint NOT NULL,
	"currency" text NOT NULL
);
--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "memberships" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
CREATE INDEX "credit_orders_user" ON "credit_orders" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "credit_orders_pending" ON "credit_orders" USING btree ("created_at") WHERE "credit_orders"."status" = 'pending';