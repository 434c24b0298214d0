/** Starts applications, tells them stories and checks the outcomes. */
@NullMarked
package io.idem.applications.story;

import org.jspecify.annotations.NullMarked;
