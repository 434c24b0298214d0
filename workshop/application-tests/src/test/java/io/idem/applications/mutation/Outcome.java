package io.idem.applications.mutation;

/** The outcome of an application, as its broker shows it. */
enum Outcome {
    REFUSED("refused at start", true),
    STOPPED("stopped, message kept", true),
    PROTECTED("protected", true),
    /** The application does not start, but not for want of what idem misses: the change was not made everywhere. */
    BROKEN("broken", false),
    /** The message is kept and comes again and again, or is never delivered. */
    HANGING("neither runs nor stops", false),
    SILENT("silent", false);

    private final String words;
    private final boolean allowed;

    Outcome(String words, boolean allowed) {
        this.words = words;
        this.allowed = allowed;
    }

    String words() {
        return words;
    }

    boolean isAllowed() {
        return allowed;
    }
}
