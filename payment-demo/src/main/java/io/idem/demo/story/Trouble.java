package io.idem.demo.story;

/** What may come between a client and a single request with a single reply. */
public enum Trouble {
    /** Several clients post the same at the same time. */
    SAME_KEY_AT_ONCE,
    /** The client hangs up before the reply and asks again. */
    HANGS_UP,
    /** The client asks again although it had its reply. */
    ASKS_AGAIN,
    /** The client uses the key again with another amount. */
    CHANGES_AMOUNT,
    /** The message is published a second time, straight to the broker. */
    DUPLICATED_MESSAGE
}
