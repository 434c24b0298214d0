package io.idem.workshop.chaos.worker;

import java.time.Duration;

/** What both sides must agree on. */
public final class Names {

    /** The exchange that the intake publishes to. */
    public static final String EXCHANGE = "chaos";

    /** The exchange and queue of dead letters on RabbitMQ. */
    public static final String DEAD = "chaos.dead";

    /** What is put behind a topic's name for its dead letters. */
    public static final String DEAD_SUFFIX = "-dlt";

    /** The table of effects. It has no unique key: it is a witness, not a guard. */
    public static final String LEDGER = "chaos_ledger";

    /** The table of keys that may be handled although they are poison. */
    public static final String CURED = "chaos_cured";

    /** The body of a message that fails until its key is cured. */
    public static final String POISON = "{\"poison\":true}";

    /** The body of a message whose work takes longer than a lease. */
    public static final String SLOW = "{\"slow\":true}";

    /** How long that is. */
    public static final Duration SLOW_WORK = Duration.ofSeconds(3);

    /** The body of every other message. */
    public static final String BODY = "{\"poison\":false}";

    /** The setting that names the file that grants are written to. */
    public static final String GRANTS = "chaos.grants";

    /** The setting that names the file that every key's story is written to. */
    public static final String STORIES = "chaos.stories";

    /** The setting that names the file in which processes note that they stood still. */
    public static final String STALLS = "chaos.stalls";

    /** The setting that names the file in which workers note how often RabbitMQ counted a message's return. */
    public static final String RETURNS = "chaos.returns";

    /** The setting that names a directory for {@link Vitals}, whose files are called after their processes' numbers. */
    public static final String VITALS = "chaos.vitals";

    /** The setting that names a flaw. */
    public static final String FLAW = "chaos.flaw";

    private Names() {}
}
