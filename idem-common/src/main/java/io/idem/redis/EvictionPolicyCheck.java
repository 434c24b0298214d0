package io.idem.redis;

/** What to do about a Redis that may evict records: an evicted record lets a duplicate run again. */
public enum EvictionPolicyCheck {
    /** Refuse to work with it. */
    FAIL,
    /** Log a warning and go on. */
    WARN
}
