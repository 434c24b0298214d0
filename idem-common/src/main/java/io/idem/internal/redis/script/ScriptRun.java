package io.idem.internal.redis.script;

import java.util.List;

/**
 * A script with the arguments that all records of one call share.
 *
 * @param withSteps whether the script takes the steps of each record as a further key
 */
public record ScriptRun(Script script, List<Long> shared, boolean withSteps) {}
