package io.idem.benchmarks.contestant;

/** The contestants and floors. */
public enum Contestants {
    TWO_PINGS("two PING", ""),
    TWO_SETS("two SET NX PX", ""),
    TWO_SCRIPTS("two EVALSHA of a script that only returns 1", ""),
    IDEM("idem", ""),
    IDEM_STORE("idem's store alone", ""),
    IDEM_CACHED("idem with near cache", ""),
    REDISSON(
            "Redisson RLock and bucket",
            "a holder that outlives its lock commits beside the next one; no fence, no fingerprint, no attempts"),
    JDEMPOTENT(
            "Jdempotent's repository",
            "check and claim are two commands, so two callers may both run; a crash blocks the key until it expires"),
    CAMEL(
            "Camel's Redis repository",
            "one write before the work: a duplicate of unfinished work is dropped, and a crash loses the message"),
    SPRING_INTEGRATION(
            "Spring Integration's metadata store", "one write before the work, as Camel; entries never expire");

    private final String title;
    private final String gap;

    Contestants(String title, String gap) {
        this.title = title;
        this.gap = gap;
    }

    /** Returns the name in tables. */
    public String title() {
        return title;
    }

    /**
     * Returns what the contestant does not protect against, compared with idem; empty for floors and for idem itself.
     */
    public String gap() {
        return gap;
    }

    /** Connects to the Redis server of this URI; with one connection, except where a library uses a pool. */
    public Contestant connect(String redisUri) {
        return switch (this) {
            case TWO_PINGS -> BareCommands.pings(redisUri);
            case TWO_SETS -> BareCommands.sets(redisUri);
            case TWO_SCRIPTS -> BareCommands.scripts(redisUri);
            case IDEM -> IdemContestant.engine(redisUri);
            case IDEM_STORE -> IdemContestant.store(redisUri);
            case IDEM_CACHED -> IdemContestant.cached(redisUri);
            case REDISSON -> new RedissonContestant(redisUri);
            case JDEMPOTENT -> new JdempotentContestant(redisUri);
            case CAMEL -> new CamelContestant(redisUri);
            case SPRING_INTEGRATION -> new SpringIntegrationContestant(redisUri);
        };
    }
}
