package io.idem.gateway.service.openapi;

import tools.jackson.databind.node.ObjectNode;

/** Changes the intake's description. Declare beans of this type; they are called once, in their order. */
@FunctionalInterface
public interface OpenApiCustomizer {

    /** Changes the document in place. */
    void customize(ObjectNode document);
}
