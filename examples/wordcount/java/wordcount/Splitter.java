package wordcount;

import upcall.Emitter;
import upcall.FlowObject;
import upcall.ObjectHandler;
import upcall.View;

/** Emits each word of a line: the word is the key, the value is empty. */
public final class Splitter implements ObjectHandler {
    private static final byte[] NOTHING = {};

    @Override
    public void onObject(FlowObject line, Emitter out) {
        View text = line.value();
        int start = 0;
        for (int at = 0; at <= text.length(); at++) {
            if (at < text.length() && isLetter(text.get(at))) {
                continue;
            }
            if (at > start) {
                byte[] word = new byte[at - start];
                for (int letter = 0; letter < word.length; letter++) {
                    word[letter] = (byte) (text.get(start + letter) | 0x20);
                }
                out.put(word, NOTHING);
            }
            start = at + 1;
        }
    }

    private static boolean isLetter(byte letter) {
        int small = (letter | 0x20) - 'a';
        return small >= 0 && small < 26;
    }
}
