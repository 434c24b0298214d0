package io.idem.workshop.chaos.worker;

import java.time.Duration;

/** Names shared by the laboratory and the processes of its applications. */
public final class Names {

    /** Exchange to which the intake publishes. */
    public static final String EXCHANGE = "chaos";

    /** Exchange and queue of dead letters on RabbitMQ. */
    public static final String DEAD = "chaos.dead";

    /** Suffix of a topic's name for its dead letters. */
    public static final String DEAD_SUFFIX = "-dlt";

    /** Table of effects. It has no unique key, so that it records duplicates instead of preventing them. */
    public static final String LEDGER = "chaos_ledger";

    /** Table of the calls of steps, of questions about them, and of what they returned. No unique key either. */
    public static final String STEPS = "chaos_steps";

    /** Step without a rule for an unknown outcome. */
    public static final String PLAIN_STEP = "charge";

    /** Step whose reconciler asks the provider. */
    public static final String RECONCILED_STEP = "parcel";

    /** Schema of the first tenant, with the ledger. */
    public static final String FIRST_TENANT = "public";

    /** Schema and name of the second tenant, for whom nobody works. */
    public static final String SECOND_TENANT = "chaos_second";

    /** Scope of rows that the laboratory leaves for the relay. */
    public static final String PLANTED = "chaos-planted";

    /** Table of keys whose poison messages succeed. */
    public static final String CURED = "chaos_cured";

    /** Body of a message that fails until its key is cured. */
    public static final String POISON = "{\"poison\":true}";

    /** Body of a message whose work takes longer than a lease. */
    public static final String SLOW = "{\"slow\":true}";

    /** Duration of the work of {@link #SLOW}. */
    public static final Duration SLOW_WORK = Duration.ofSeconds(3);

    /** Body of every other message. */
    public static final String BODY = "{\"poison\":false}";

    /** Setting that names the log of grants. */
    public static final String GRANTS = "chaos.grants";

    /** Setting that names the log of the store's answers. */
    public static final String STORIES = "chaos.stories";

    /** Setting that names the log of stalls. */
    public static final String STALLS = "chaos.stalls";

    /** Setting that names the log of the returns that RabbitMQ counted. */
    public static final String RETURNS = "chaos.returns";

    /** Setting that names the directory of {@link Vitals}, whose files are named by process id. */
    public static final String VITALS = "chaos.vitals";

    /** Setting that names a flaw. */
    public static final String FLAW = "chaos.flaw";

    private Names() {}
}
