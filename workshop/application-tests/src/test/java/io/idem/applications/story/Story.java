package io.idem.applications.story;

/** A story that is told to an application. */
public enum Story {
    /** Two copies of a message arrive at once, and a third one later. */
    DUPLICATE,
    /** Another owner holds the lease of the key, and releases it. */
    ELSEWHERE,
    /** The first attempt fails. */
    FAILURE,
    /** The process is killed, by SIGKILL, before the effect. */
    KILLED
}
