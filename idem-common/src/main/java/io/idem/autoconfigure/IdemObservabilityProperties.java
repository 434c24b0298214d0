package io.idem.autoconfigure;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.observability}.
 *
 * @param enabled whether there are meters and observations
 * @param logFields whether lines that are logged while work runs have its key's digest, scope, fence and attempt
 * @param startUpReport whether the rules of every participant are logged once at the start
 */
@ConfigurationProperties("idem.observability")
record IdemObservabilityProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue("true") boolean logFields,
        @DefaultValue("true") boolean startUpReport) {}
