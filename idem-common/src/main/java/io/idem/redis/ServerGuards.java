package io.idem.redis;

import io.idem.GuardAction;

/**
 * The reactions to a server that may lose records. The server is checked when idem connects to it; its version must be
 * 7.0 or newer in any case.
 *
 * @param evictionPolicy the reaction to a server that may evict records; default {@link GuardAction#FAIL}
 * @param persistence the reaction to a server without an append-only file; default {@link GuardAction#WARN}
 * @param clock the reaction to a server whose clock differs from this machine's by more than 30 s; default
 *     {@link GuardAction#WARN}
 */
public record ServerGuards(GuardAction evictionPolicy, GuardAction persistence, GuardAction clock) {

    /** The default reactions. */
    public static final ServerGuards DEFAULTS = new ServerGuards(GuardAction.FAIL, GuardAction.WARN, GuardAction.WARN);
}
