package io.idem.demo.story;

/** What is posted; the same fields in the same order every time. Amounts are in cents. */
public record Body(String account, long amount, String currency) {

    /** The same with one cent more. */
    Body changed() {
        return new Body(account, amount + 1, currency);
    }
}
