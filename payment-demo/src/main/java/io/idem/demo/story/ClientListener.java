package io.idem.demo.story;

/** Follows the clients while they are at it. Implementations are thread-safe and quick. */
public interface ClientListener {

    /** A listener that does nothing. */
    ClientListener NOBODY = new ClientListener() {

        @Override
        public void sending(Exchange unanswered) {}

        @Override
        public void answered(Exchange exchange) {}
    };

    /** A client sends a request; {@code unanswered} has no reply yet. */
    void sending(Exchange unanswered);

    /** Called after a request with its result. */
    void answered(Exchange exchange);
}
