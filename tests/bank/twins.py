"""Pairs of questions that ask one thing in other words: what the duplicate search has to find.

Each is (stem, options) twice. The second was written by hand from the first: other words where
the subject allows, other figures, another order, sometimes another scene. The first half set
the threshold, together with the bank's nearest unrelated pairs; the second half was written for
measuring. It was seen once before the threshold moved from 0.30 to 0.27, a move that finds three
more of the first half and none of the second, so it is nearly but not wholly unseen.
"""

from __future__ import annotations

Text = tuple[str, tuple[str, ...]]

CALIBRATION: dict[str, tuple[Text, Text]] = {
    "ring-time": (
        (
            "Eight GPUs all-reduce a gradient buffer of 16 GB. Each can send 200 GB/s and receive as much at the same "
            "time, there is no in-network reduction, and start-up costs are negligible. What is the least time?",
            (
                "140 ms from first to last byte",
                "70 ms from first to last byte",
                "560 ms from first to last byte",
                "1,120 ms from first to last byte",
            ),
        ),
        (
            "Four GPUs sum 24 GB of gradients with a ring all-reduce. A link moves 300 GB/s in each direction at once, "
            "switches do not reduce, latency can be ignored. How long does it take at best?",
            ("120 ms in all", "60 ms in all", "240 ms in all", "480 ms in all"),
        ),
    ),
    "lora-rate": (
        (
            "Full fine-tuning of a model worked best at a peak learning rate of 2e-5. The team moves to LoRA on all "
            "linear layers, with the usual alpha / r scaling and B starting at zero, for several thousand steps. The "
            "budget allows three trial runs. Around which peak rate should the three be placed?",
            (
                "2e-4, ten times the full rate",
                "2e-6, a tenth of the full rate",
                "2e-5, the full rate as it is",
                "2e-3, a hundred times the full rate",
            ),
        ),
        (
            "An engineer who tuned all weights with a best learning rate of 1e-5 now trains LoRA adapters in each linear "
            "layer of the same model. Where does the search for the adapters' learning rate begin?",
            (
                "At 1e-4, ten times what full tuning used",
                "At 1e-6, a tenth of what full tuning used",
                "At 1e-5, the same as full tuning used",
                "At 1e-2, a thousand times what full tuning used",
            ),
        ),
    ),
    "tenant-isolation": (
        (
            "Three customers each run a model that needs 17 GB of GPU memory. They share one A100 80GB in a Kubernetes "
            "node. A crash or a memory leak of one must not touch the others. How is the GPU handed out?",
            (
                "As three MIG devices of 20 GB, one of them for each customer",
                "As seven MIG devices of 10 GB, two of them for each customer",
                "As three time-sliced replicas, one of them for each customer",
                "As one GPU under MPS, a third of the threads for each customer",
            ),
        ),
        (
            "Two tenants share an H100 80GB. Either model takes 35 GB, and a fault in one tenant's process must leave "
            "the other's untouched. Which way of sharing the card meets this?",
            (
                "Two MIG instances of 40 GB, one a tenant",
                "Seven MIG instances of 10 GB, three a tenant",
                "Time slicing with two replicas, one a tenant",
                "MPS with half of the threads for each tenant",
            ),
        ),
    ),
    "few-shot-codes": (
        (
            "A router maps support mails to 12 internal codes such as `BIL-3`, whose meaning nobody outside the firm "
            "knows. Zero-shot, with the bare list of codes in the prompt, the model often picks a wrong code and now and "
            "then adds a sentence. A reply may have 4 tokens. There is no budget for training; the prompt may grow by "
            "1,500 tokens. What is the best next step?",
            (
                "Have the prompt show two or three mails for each code, each with its bare code",
                "Have the model reason about the mail step by step before it writes the code",
                "Have the decoder accept nothing but the 12 codes, with the prompt as it stands",
                "Have the sampler run at temperature 0, so that unlikely codes are not drawn",
            ),
        ),
        (
            "Tickets are sorted into nine in-house labels that mean nothing to outsiders. With only the labels' names in "
            "the prompt the LLM guesses, and sometimes it explains itself. Training is out of the question, output is "
            "limited to a few tokens, and there is room for a longer prompt. What should be tried first?",
            (
                "Examples in the prompt: a few tickets with each label, answered by the label alone",
                "Chain of thought: a few sentences of reasoning before the label is given",
                "Constrained decoding: only the nine labels can be written, same prompt",
                "Greedy decoding: temperature 0, so that rare labels are not sampled",
            ),
        ),
    ),
    "skip-gradient": (
        (
            "A plain convolutional network of 60 layers reaches a higher *training* error than its version of 20 layers. "
            "Gradients at the first layers are a thousand times smaller than at the last. The depth must stay. Which "
            "change fits, and why?",
            (
                "Identity shortcuts, which let the gradient bypass each block unshrunk",
                "Identity shortcuts, which leave each block with fewer weights to fit",
                "Dropout in each block, which keeps the extra layers from overfitting",
                "More labelled images, which help the extra layers to generalise",
            ),
        ),
        (
            "Stacking 50 convolutional layers without any residual path gives a worse training loss than 18 layers do, "
            "and hardly any gradient arrives at the early layers. The network has to remain deep. What helps?",
            (
                "Skip connections, since gradients flow past each block without shrinking",
                "Skip connections, since each block then has fewer parameters to learn",
                "Dropout, since the additional layers overfit the training data",
                "A larger data set, since the additional layers generalise badly",
            ),
        ),
    ),
    "guard-classifier": (
        (
            "Two guard classifiers are tested on 1,000 outputs, of which 20 are unsafe. Guard X flags nothing. Guard Y "
            "flags 30 outputs, and 15 of them are unsafe. Missed unsafe outputs are what the team fears. Which line "
            "belongs in the report?",
            (
                "Guard Y is ahead: F1 on unsafe outputs is 0.60, with recall 0.75",
                "The guards are equal: each is right on 98 % of outputs",
                "Guard X is ahead: it raises no false alarm in 980 outputs",
                "Guard Y is ahead: F1 on unsafe outputs is 0.60, with recall 0.50",
            ),
        ),
        (
            "Of 2,000 answers 50 are toxic. Filter A lets all of them pass; filter B flags 80, of which 40 are toxic. "
            "A missed toxic answer costs most. How are the filters compared in the report?",
            (
                "B is better: recall on toxic answers is 0.80 and precision 0.50",
                "Both are alike: each one's accuracy is near 98 %",
                "A is better: it has no false alarm on the harmless answers",
                "B is better: recall on toxic answers is 0.50 and precision 0.80",
            ),
        ),
    ),
    "drift-alarm": (
        (
            "An alarm says that prompt embeddings have moved away from the reference window. On the weekly labelled "
            "sample of 400 live requests 91 % of answers are good; it was 92 % in each of the weeks before, and the "
            "sampling error is 3 points. What is the next step?",
            (
                "Label more of the segment that moved, as no loss is shown",
                "Start the retraining job on this week's prompts, as inputs have drifted",
                "Widen the alarm's threshold, as labelled quality has not moved",
                "Roll the model back to the version before, as inputs have drifted",
            ),
        ),
        (
            "The drift monitor fires: input embeddings differ from those of the reference month. The share of good "
            "answers in the labelled sample fell from 88 % to 87 %, which lies within the sampling error. What should "
            "the team do next?",
            (
                "Draw and label more requests from the region that drifted",
                "Retrain at once on the requests of this month",
                "Raise the threshold so that the monitor stays silent",
                "Return to the previous version of the model",
            ),
        ),
    ),
}

HELD_OUT: dict[str, tuple[Text, Text]] = {
    "second-client": (
        (
            "A chat application calls a NeMo Guardrails service, which calls a NIM. Jailbreak prompts are refused there. "
            "A second team points its tool straight at the same NIM, and the same prompts succeed. What explains it, and "
            "what is the remedy?",
            (
                "The rails act in the guardrails service; send the tool through it as well",
                "The tool gets weights without rails; pull the guarded checkpoint in the NIM",
                "The tool samples at a higher temperature; lower it in the NIM's defaults",
                "The tool has no session with the rails yet; warm it up by a first prompt",
            ),
        ),
        (
            "Attacks that the company's assistant turns down work in a new batch script. The assistant talks to NeMo "
            "Guardrails in front of a NIM, the script to the NIM itself. Why, and what should be done?",
            (
                "Rails live in the guardrails service: route the script through that service",
                "The script loads unguarded weights: deploy the checkpoint with rails in the NIM",
                "The script uses a higher temperature: set a lower default in the NIM",
                "The script opened no session: send a warm-up prompt to the rails first",
            ),
        ),
    ),
    "fid-distribution": (
        (
            "Generated street scenes are to be mixed into a training set, so as a set they should be statistically close "
            "to the real photos. Prompts are discarded afterwards, and generation may run for a week. Which of the four "
            "models scored on 50,000 images fits best?",
            (
                "Diff-L, whose FID of 11 is the lowest of four",
                "GAN-S, whose FID of 29 is the highest of four",
                "Diff-G, whose CLIP cosine of 0.31 is the highest",
                "Diff-M, whose FID per second is the most efficient",
            ),
        ),
        (
            "A lab fills up its set of satellite photos with generated ones. The distribution of the generated images "
            "should match that of the real photos; captions are thrown away and time is no concern. Which model is chosen?",
            (
                "Model B, with the lowest FID of all, 9",
                "Model D, with the highest FID of all, 35",
                "Model A, with the highest CLIP score, 0.33",
                "Model C, with the best FID for its speed",
            ),
        ),
    ),
    "absent-lab-values": (
        (
            "A hospital model joins the features of an X-ray, a report and lab values in one layer. It was trained on "
            "patients who had all three. In use three patients in ten have no lab values, and on them it fails. The "
            "existing data may be used for more training; new data is not to be had. Which changes make the model cope "
            "with absent lab values?",
            (
                "Hide a random modality in a share of the training steps",
                "Train a head for each modality and average those that have input",
                "Fill absent lab values with zeros and keep the trained model as it is",
                "Train for more epochs on the patients with complete records",
                "Widen the lab encoder so that lab values weigh more in the joint layer",
            ),
        ),
        (
            "A car model fuses camera, radar and lidar features. All of its training drives had the three sensors, yet in "
            "the fleet the lidar is missing in a fifth of the cars, where it fails. No further data can be recorded. What "
            "makes it robust against a missing sensor?",
            (
                "Drop a random sensor in some of the training steps",
                "Give each sensor its own head and average the ones with input",
                "Replace the missing lidar by zeros, with the model as trained",
                "Train longer on the drives that have all of the sensors",
                "Make the lidar encoder wider so that it counts for more",
            ),
        ),
    ),
    "scanned-manuals": (
        (
            "A text RAG index over 3,000 PDF manuals finds nothing in four of ten. In a viewer no word on their pages can "
            "be selected. What have those files been missing before chunking?",
            (
                "OCR of the page images, checked on a sample",
                "Chunks of half the size, with more overlap",
                "A text embedder with a higher benchmark score",
                "Removal of stop words and of repeated headers",
            ),
        ),
        (
            "Retrieval over a firm's PDF contracts returns no passage of a third of the files. Their text cannot be "
            "selected or searched in any PDF viewer. Which step was left out before the files were cut into chunks?",
            (
                "OCR on images of the pages, with a sample checked",
                "Smaller chunks that overlap by more",
                "A better text embedding model",
                "Removing stop words and page headers",
            ),
        ),
    ),
    "batch-drift": (
        (
            "A regression suite sends the same 500 prompts at temperature 0 to a vLLM server that it shares with live "
            "traffic. At night all outputs equal the stored ones. By day about 3 % part from them after some tokens, at "
            "places where the two best logits are nearly equal. Prompts, weights and versions are the same, and prefix "
            "caching is off. What explains the difference?",
            (
                "Other batch sizes sum floating-point numbers in another order, which flips near ties in the argmax",
                "Temperature 0 still draws at random from the distribution, and the suite has not fixed its seed",
                "Paged KV blocks of live requests are read by the suite's requests when memory gets scarce by day",
                "Top-p stays at its default by day, so the draw comes from a nucleus that changes with the load",
            ),
        ),
        (
            "At temperature 0 an inference server answers 200 fixed prompts alike when it is idle. Under load a few "
            "answers diverge at a token whose two top logits almost tie, though model, prompts and versions did not "
            "change. What is the cause?",
            (
                "Batches of another size add floating-point values in another order, and a near tie in the argmax flips",
                "Sampling at temperature 0 is still random, as no seed was fixed",
                "KV cache blocks of other requests are read when memory runs short",
                "The default top-p applies under load, and the nucleus moves with it",
            ),
        ),
    ),
    "reverse-steps": (
        (
            "In a standard denoising diffusion probabilistic model (DDPM), where do the trained weights do their work?",
            (
                "In the reverse steps, as a network that predicts the noise to remove",
                "In the forward steps, as a network that decides how much noise to add",
                "In both directions, as an encoder and a decoder that are fitted as a pair",
                "In a last step, as a discriminator that scores each finished picture",
            ),
        ),
        (
            "Which part of a diffusion model (DDPM) is learned from data?",
            (
                "The reverse process: a network predicts the noise that is removed",
                "The forward process: a network decides on the noise that is added",
                "Both processes: an encoder and a decoder are trained as a pair",
                "The final check: a discriminator rates each finished image",
            ),
        ),
    ),
    "name-swap": (
        (
            "An assistant writes reference letters. Reviewers suspect that letters for women praise warmth and letters "
            "for men praise leadership. All letters are polite, each employee gets one, and the employees' records "
            "differ. Which test shows whether the name itself changes the letter?",
            (
                "Counterfactual testing, comparing letters from one record under changed names",
                "Toxicity scoring, comparing the mean score of letters for women and for men",
                "Demographic parity, comparing the share of women and of men who get a letter",
                "Accuracy by group, comparing facts in letters for women and for men with records",
            ),
        ),
        (
            "A tool drafts performance reviews. Auditors think that it describes women as kind and men as ambitious. "
            "Nobody is left out and no review is rude, but careers differ. How is it tested whether the name alone "
            "changes the text?",
            (
                "By a counterfactual test: the same record with names swapped, texts compared",
                "By toxicity scores: means of the reviews of women and of men compared",
                "By demographic parity: shares of women and men with a review compared",
                "By group accuracy: facts of the reviews compared with the records",
            ),
        ),
    ),
}
