/** Starts servers, intake and consumers, kills some of the latter, and tells the story. */
@NullMarked
package io.idem.demo.supervisor;

import org.jspecify.annotations.NullMarked;
