/** Lets a supervisor watch a consumer: what it was granted, committed and settled, as lines in its log. Not needed to use idem. */
@NullMarked
package io.idem.demo.watch;

import org.jspecify.annotations.NullMarked;
