package io.idem.redis;

import io.idem.GuardAction;

/**
 * What is checked about a server when idem connects to it, beside its version: that must be 7.0 or newer.
 *
 * @param evictionPolicy about one that may evict records; default {@link GuardAction#FAIL}
 * @param persistence about one without an append-only file; default {@link GuardAction#WARN}
 * @param clock about one whose clock and this machine's differ by more than 30 s; default {@link GuardAction#WARN}
 */
public record ServerGuards(GuardAction evictionPolicy, GuardAction persistence, GuardAction clock) {

    /** The defaults. */
    public static final ServerGuards DEFAULTS = new ServerGuards(GuardAction.FAIL, GuardAction.WARN, GuardAction.WARN);
}
