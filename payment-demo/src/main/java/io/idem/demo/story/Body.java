package io.idem.demo.story;

/** The body of a request, with the same fields in the same order every time. Amounts are in cents. */
public record Body(String account, long amount, String currency) {

    /** Returns the body with an amount that is one cent higher. */
    Body changed() {
        return new Body(account, amount + 1, currency);
    }
}
