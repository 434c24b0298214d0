package io.idem.internal.method;

import io.idem.Inbox;
import io.idem.InboxTransaction;
import io.idem.StoreUnavailableException;
import io.idem.internal.PlainTime;
import java.lang.reflect.Method;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Start-up check of the inbox that an annotated method asks for.
 *
 * @param inbox the application's inbox; asked for only by a method that needs it, otherwise its table need not exist
 * @param always whether every method runs in the inbox, because it is the store
 * @param off whether idem is switched off: no inbox is the store, and {@link InboxTransaction#LAST_PHASE} asks for one by itself
 * @param refusals makes the exceptions
 */
public record InboxRules(Supplier<@Nullable Inbox> inbox, boolean always, boolean off, Refusals refusals) {

    /**
     * Returns the inbox of a method; null for protection by the store alone.
     *
     * @param asked whether the annotation asks for an inbox
     * @param transaction the part of the work that the annotation wants in the transaction
     * @param retention the time for which the records of the method are kept
     * @param endsLater whether the work ends after the return of the method
     */
    public @Nullable Inbox of(
            Method method, boolean asked, InboxTransaction transaction, Duration retention, boolean endsLater) {
        boolean lastPhase = transaction == InboxTransaction.LAST_PHASE;
        StartRefusal refusal = refusals.of(method);
        if (!asked && !always && !(lastPhase && off)) {
            refusal.refuseIf(
                    lastPhase,
                    "says transaction = LAST_PHASE, which is about the transaction of an inbox, and has none",
                    "Add inbox = true, or remove transaction");
            return null;
        }
        refusal.refuseIf(
                endsLater && always,
                "ends its work after its return, and with idem.store=inbox all work runs inside a transaction that"
                        + " belongs to one thread",
                "Do the work before the method returns, or choose another idem.store");
        refusal.refuseIf(
                endsLater,
                "asks for an inbox, whose transaction belongs to one thread, but its work ends after its return",
                "Remove inbox = true, or do the work before the method returns");
        Inbox box = inbox.get();
        if (box == null) {
            throw refusal.refused(
                    "asks for an inbox, but the application has no bean of type " + Inbox.class.getName(),
                    "Add idem-jdbc with a DataSource and its transaction manager, and if there are several of either, as beside"
                            + " spring.kafka.producer.transaction-id-prefix, define those of the inbox as @Primary; or define"
                            + " an Inbox bean, or remove inbox = true");
        }
        requireFit(box, retention, refusal);
        if (lastPhase) {
            requireLastPhase(
                    box,
                    (problem, action) -> refusal.refused(
                            "says transaction = LAST_PHASE, and " + problem, action + ", or remove transaction"));
        }
        return box;
    }

    /** Describes the inbox of a method for the start-up report. */
    public static String words(@Nullable Inbox inbox, boolean lastPhase) {
        return inbox == null
                ? "inbox no"
                : "inbox " + (lastPhase ? "for its last phase" : "yes") + keptFor(inbox.retention());
    }

    private static String keptFor(Duration most) {
        return most.equals(ChronoUnit.FOREVER.getDuration()) ? "" : ", its rows kept for " + PlainTime.text(most);
    }

    /** Refuses an inbox that forgets sooner than the store. */
    public static void requireFit(Inbox box, Duration retention, StartRefusal refusal) {
        refusal.refuseIf(
                box.retention().compareTo(retention) < 0,
                "keeps its records for " + retention + ", but its inbox keeps rows for " + box.retention()
                        + ": duplicates that come later would run again if the store lost the record",
                "Let the inbox keep its rows for " + retention + " or longer, or make the retention of its scope shorter");
    }

    /** Refuses an inbox that cannot keep steps. */
    public static void requireLastPhase(Inbox box, StartRefusal refusal) {
        Inbox.LastPhase phase = box.lastPhase()
                .orElseThrow(() -> refusal.refused(
                        "the application's own inbox, " + box.getClass().getSimpleName()
                                + ", has only transactions for whole work",
                        "Use the inbox of idem-jdbc"));
        try {
            phase.check();
        } catch (StoreUnavailableException unusable) {
            throw refusal.refused(
                    "its steps cannot be kept: " + unusable.getMessage(),
                    "Create the table idem_record of R__idem.sql in the jar of idem-jdbc, for example by"
                            + " idem.jdbc.initialize-schema=always");
        }
    }
}
