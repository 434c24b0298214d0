package io.idem.consumer.internal.definition;

/** A listener that brings its definition along, because it is not a method with an annotation. */
public interface DefinedListener {

    /** Its definition, always the same. */
    ListenerDefinition definition();
}
