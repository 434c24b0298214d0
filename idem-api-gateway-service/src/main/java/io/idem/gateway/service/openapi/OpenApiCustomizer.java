package io.idem.gateway.service.openapi;

import tools.jackson.databind.node.ObjectNode;

/** Says more in the intake's description, or says it otherwise. Declare beans of this type; they are asked once, in their order. */
@FunctionalInterface
public interface OpenApiCustomizer {

    /** Changes the document. */
    void customize(ObjectNode document);
}
