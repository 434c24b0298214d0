package io.idem.redis;

import io.idem.ConfigurationException;

/** Thrown when a server answers but cannot keep records safely. The message says why, and contains the remedy. */
public final class UnsuitableRedisException extends ConfigurationException {

    /** @param setting the setting by which an operator may accept the server all the same; empty if there is none */
    public UnsuitableRedisException(String problem, String remedy, String setting) {
        super(
                problem + "; " + remedy,
                remedy + " (idem.redis.url names one for idem alone)."
                        + (setting.isEmpty() ? "" : " To accept it all the same, set " + setting + "=warn."));
    }
}
