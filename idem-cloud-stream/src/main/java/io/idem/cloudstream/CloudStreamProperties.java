package io.idem.cloudstream;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code idem.cloud-stream}.
 *
 * @param bindings scopes of the input bindings that are guarded without an annotation, by the name of the binding such as
 *     pay-in-0
 */
@ConfigurationProperties("idem.cloud-stream")
record CloudStreamProperties(@DefaultValue Map<String, String> bindings) {}
