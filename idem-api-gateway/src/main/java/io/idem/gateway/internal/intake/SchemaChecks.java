package io.idem.gateway.internal.intake;

import io.idem.http.RequestCheck;
import org.springframework.core.io.Resource;

/** Makes checks of JSON Schemas; implemented by the service. */
@FunctionalInterface
public interface SchemaChecks {

    /**
     * Returns the check of bodies by a schema.
     *
     * @throws IllegalArgumentException if the schema cannot be read or checked; the message says why
     */
    RequestCheck of(Resource schema);
}
