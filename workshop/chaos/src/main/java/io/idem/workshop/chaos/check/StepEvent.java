package io.idem.workshop.chaos.check;

/**
 * An event of a step, from the provider's table.
 *
 * @param id place in the order of all events
 * @param lane lane of the message
 * @param key key of the message
 * @param step name of the step
 * @param what LANDED when the provider acted on a call, ASKED before a reconciler looked for a landing, RETURNED when the
 *     step had returned to the work
 * @param providerKey idempotency key that the provider was given
 * @param fence fencing token of the attempt
 * @param receipt id of the landing that the step returned; 0 for other events
 */
public record StepEvent(
        long id, String lane, String key, String step, String what, String providerKey, long fence, long receipt) {

    boolean landed() {
        return what.equals("LANDED");
    }

    boolean asked() {
        return what.equals("ASKED");
    }

    boolean returned() {
        return what.equals("RETURNED");
    }

    static StepEvent of(String text) {
        String[] words = text.split(" ", -1);
        return new StepEvent(
                Long.parseLong(words[0]),
                words[1],
                words[2],
                words[3],
                words[4],
                words[5],
                Long.parseLong(words[6]),
                Long.parseLong(words[7]));
    }
}
