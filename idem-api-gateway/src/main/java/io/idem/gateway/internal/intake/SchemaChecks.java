package io.idem.gateway.internal.intake;

import io.idem.http.RequestCheck;
import org.springframework.core.io.Resource;

/** Makes checks of JSON Schemas; the service brings one. */
@FunctionalInterface
public interface SchemaChecks {

    /**
     * The check of bodies by a schema.
     *
     * @throws IllegalArgumentException if the schema cannot be read or is not one that can be checked; says why
     */
    RequestCheck of(Resource schema);
}
