/** Starts applications, tells them stories and judges what became of them. */
@NullMarked
package io.idem.applications.story;

import org.jspecify.annotations.NullMarked;
