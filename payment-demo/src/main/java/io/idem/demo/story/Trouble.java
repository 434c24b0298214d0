package io.idem.demo.story;

/** The disturbances between a request of a client and its reply. */
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
